// Loaded before a server that would listen on every interface, to make it listen on loopback only.
// Patches the bind call, so that the server knows its port at once.
const { Server } = require('node:net');

const { _listen2: bind } = Server.prototype;
Server.prototype._listen2 = function (address, port, addressType, ...rest) {
  return address === null && typeof port === 'number' && port >= 0
    ? bind.call(this, '127.0.0.1', port, 4, ...rest)
    : bind.call(this, address, port, addressType, ...rest);
};
