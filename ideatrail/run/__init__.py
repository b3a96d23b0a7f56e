"""One trail: its folder, its log, its resume, and the job that makes it."""
