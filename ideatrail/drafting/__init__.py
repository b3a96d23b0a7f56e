"""From a paper to the proposal that might have been written before its work was done."""
