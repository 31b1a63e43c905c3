// Replaces isomorphic-form-data, which would replace Node's own FormData for the whole
// process.
export {}
