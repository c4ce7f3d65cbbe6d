"""What draws lines on a screen."""
