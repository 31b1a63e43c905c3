// Runs after `npm install`, under any Node: removes the C headers that come with the packaged Node
// (67 MB), because nothing here compiles against them.
import { readdirSync, rmSync } from 'node:fs'

for (const name of readdirSync('node_modules')) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) {
    rmSync(`node_modules/${name}/include`, { recursive: true, force: true })
  }
}
