// Loaded before a server that would listen on every interface: it listens on loopback alone. The
// address is put in where the socket is bound, so that a server has its port at once, as it is used to.
const { Server } = require('node:net');

const { _listen2: bind } = Server.prototype;
Server.prototype._listen2 = function (address, port, addressType, ...rest) {
  return address === null && typeof port === 'number' && port >= 0
    ? bind.call(this, '127.0.0.1', port, 4, ...rest)
    : bind.call(this, address, port, addressType, ...rest);
};
