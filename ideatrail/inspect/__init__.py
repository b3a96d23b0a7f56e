"""What can be told of finished records: whether they hold, what rests on what."""
