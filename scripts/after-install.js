// Runs after `npm install`, under any Node: removes the unused C headers of the packaged Node (67
// MB) and prints the next step.
import { existsSync, readdirSync, rmSync } from 'node:fs'

const FOLDER = 'node_modules'
// `npm install --dry-run` also runs this script, but creates no folder.
const names = existsSync(FOLDER) ? readdirSync(FOLDER) : []
for (const name of names) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) {
    rmSync(`${FOLDER}/${name}/include`, { recursive: true, force: true })
  }
}
if (names.length > 0) process.stdout.write('Lamplight is installed. Start it with: npm start\n')
