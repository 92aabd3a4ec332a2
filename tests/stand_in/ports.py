"""Free loopback ports that stay free until their server takes them."""

import socket

LOOPBACK = "127.0.0.1"


class Port:
    """A port that is held. A server that binds with SO_REUSEPORT can share it; for another, release it first."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._socket.bind((LOOPBACK, 0))
        self.number: int = self._socket.getsockname()[1]

    @property
    def address(self) -> str:
        return f"{LOOPBACK}:{self.number}"

    def release(self) -> None:
        self._socket.close()


class Ports:
    """The ports of a cluster, by name. While it is held no other process is given one of them."""

    def __init__(self, *names: str) -> None:
        self._ports = {name: Port() for name in names}

    def __getitem__(self, name: str) -> Port:
        return self._ports[name]

    def release(self) -> None:
        for port in self._ports.values():
            port.release()
