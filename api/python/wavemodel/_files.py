"""Files that are written whole or not at all, as `wave` writes them."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import stat


def replace_file(file: str | bytes, data: bytes) -> None:
    """Puts `data` in the place of what `file` holds, where a symbolic link leads, and with the mode that it had. What is no
    plain file, such as a pipe, is written to."""
    target = os.path.realpath(os.fsdecode(file))
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        with open(file, "wb") as stream:
            stream.write(data)
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fsdecode(file))
    # The program removes such files where nobody holds their lock.
    temporary = f"{target}.{secrets.token_hex(3)}.wave-new"
    opened = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(opened, "wb") as stream:
            with contextlib.suppress(OSError):  # a file system may have no locks
                fcntl.flock(stream, fcntl.LOCK_EX)
            stream.write(data)
            stream.flush()
            if mode is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            os.fsync(stream.fileno())
            os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync(os.path.dirname(target))


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _sync(folder: str) -> None:
    """Has the disk keep the new name, too, where folders can be synced."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
