// Node asks the system's resolver for names below localhost, which may not know them.
const dns = require('node:dns');

const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith('.localhost') ? 'localhost' : name, ...rest);
