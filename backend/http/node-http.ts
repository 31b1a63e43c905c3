// What is used of Node's own `http`. An import of it asks for all that it exports, and one of these
// is a part of `fetch`, which is loaded for that: 7 MB of memory and a tenth of the start.
export const { STATUS_CODES, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http')
