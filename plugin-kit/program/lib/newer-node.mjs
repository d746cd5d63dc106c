// What Node 20 lacks of what the code of the host is written with.
Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
};
