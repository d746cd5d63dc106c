// Never reads what it is sent.
setInterval(() => {}, 1_000);
