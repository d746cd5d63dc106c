// Loaded before a server that would listen on every interface: it listens on loopback alone.
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return typeof port === 'object' || Number.isNaN(Number(port))
    ? listen.call(this, port, ...rest)
    : listen.call(this, { port: Number(port), host: '127.0.0.1' }, ...rest);
};
