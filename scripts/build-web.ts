// Builds the web part into build/: `npm run build`.
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { parseCommandLine } from './command-line.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const STAMP = join(ROOT, 'build/finished')
const SOURCES = [
  'web',
  'contract',
  'shims',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build-web.ts',
  'scripts/editor-skin.ts',
  'scripts/font-faces.ts',
  'scripts/texts-by-use.ts',
]
const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest|txt)$/
const COMPRESS_FROM_BYTES = 1024

/** Builds the browser's files and the renderer, and compresses text files to .br and .gz. */
export async function buildWeb(): Promise<void> {
  const { build } = await import('vite')
  await rm(STAMP, { force: true })
  const configFile = join(ROOT, 'vite.config.ts')
  process.chdir(ROOT)
  await build({ configFile, logLevel: 'warn' })
  await build({ configFile, logLevel: 'warn', build: { ssr: true } })
  await compressAll(join(ROOT, 'build/client'))
  await writeFile(STAMP, '')
}

/** Builds in a child process, so that the build tool's memory is freed. */
export function buildInChildProcess(): boolean {
  const file = fileURLToPath(import.meta.url)
  return spawnSync(process.execPath, [file], { stdio: 'inherit' }).status === 0
}

/** Whether a source is newer than the last finished build. */
export async function isBuildStale(): Promise<boolean> {
  const built = await stat(STAMP).catch(() => undefined)
  if (!built) return true
  for (const source of SOURCES)
    if ((await newestMs(join(ROOT, source))) > built.mtimeMs) return true
  return false
}

async function newestMs(path: string): Promise<number> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const childrenMs = await Promise.all(
    (await readdir(path)).map((name) => newestMs(join(path, name))),
  )
  return Math.max(entry.mtimeMs, ...childrenMs)
}

async function compressAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue
    const bytes = await readFile(path)
    if (bytes.length < COMPRESS_FROM_BYTES) continue
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

const USAGE = `npm run build    builds the web part into build/
Options: --if-stale    only when a source is newer than what is there`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseCommandLine(USAGE, { options: { 'if-stale': { type: 'boolean' } } })
  if (!values['if-stale'] || (await isBuildStale())) await buildWeb()
}
