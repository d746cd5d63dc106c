// Never reads its input.
setInterval(() => {}, 1_000);
