"""Pages as a browser asks for them, without one."""
