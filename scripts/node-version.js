// Loaded before every npm script (`node --import`): says clearly when the wrong Node runs it. Plain
// JavaScript that any Node reads.
const NEEDED_MAJOR = 22
const NEEDED_MINOR = 22

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED_MAJOR || (major === NEEDED_MAJOR && minor < NEEDED_MINOR)) {
  process.stderr.write(
    `Lamplight runs on Node ${NEEDED_MAJOR}.${NEEDED_MINOR} or newer, and this is ${process.versions.node}.\n` +
      'npm 11 or newer brings the right one: run "npm install" with it (npm install --global npm@11), then this command through npm again.\n',
  )
  process.exit(1)
}

// Hashes and files share these threads: with Node's four, a few people who sign in would hold up
// every read of a file.
process.env.UV_THREADPOOL_SIZE ??= '12'
