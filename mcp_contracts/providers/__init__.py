"""What providers take and refuse, as data with its sources, and what that means for names and schemas."""
