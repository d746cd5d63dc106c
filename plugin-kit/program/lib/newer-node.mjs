// Polyfills for Node 20 of functions that the host's code uses.
Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
};
