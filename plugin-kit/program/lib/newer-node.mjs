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

Map.groupBy ??= function groupBy(items, keyOf) {
  const groups = new this();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    index += 1;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};
