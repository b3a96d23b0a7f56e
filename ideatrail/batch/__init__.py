"""Many jobs: the rows of a list, who does them, and where their results go. Knows jobs, not
trails."""
