"""What was spent: traces as tables, as a page, and compared with an earlier one."""
