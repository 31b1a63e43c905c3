// Runs after `npm install`, under any Node: removes the C headers that come with the packaged Node
// (67 MB), because nothing here compiles against them, and says what comes next.
import { existsSync, readdirSync, rmSync } from 'node:fs'

const FOLDER = 'node_modules'
// `npm install --dry-run` runs this, too, and has made no folder.
const names = existsSync(FOLDER) ? readdirSync(FOLDER) : []
for (const name of names) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) {
    rmSync(`${FOLDER}/${name}/include`, { recursive: true, force: true })
  }
}
if (names.length > 0) process.stdout.write('Lamplight is installed. Start it with: npm start\n')
