// Builds the web part into build/: `npm run build`. With --if-stale only when a source is newer
// than the last build.
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { InlineConfig } from 'vite'
import { BUNDLED, BUNDLES } from './bundled-packages.ts'
import { SERVE_ARGS } from './processes.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
/**
 * What a start runs: each file brings along what it imports itself, but not what it loads on the
 * way.
 */
const LOADED_AT_START = [
  'scripts/start.ts',
  'backend/main.ts',
  'backend/app.ts',
  'backend/database/sqlite-dialect.ts',
  'backend/pages/built.ts',
  'build/server/server.js',
]
const BUNDLES_HOOK = 'scripts/bundled-packages.ts'
const STAMP = join(ROOT, 'build/finished')
const SOURCES = [
  'web',
  'contract',
  'shims',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build-web.ts',
  BUNDLES_HOOK,
  'scripts/editor-dialogs.ts',
  'scripts/editor-skin.ts',
  'scripts/texts-by-use.ts',
]
const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest|txt)$/
const COMPRESS_FROM_BYTES = 1024

/**
 * Builds browser files, renderer and bundles of packages, and lays .br and .gz files beside what
 * compresses.
 */
export async function buildWeb(): Promise<void> {
  const { build } = await import('vite')
  await rm(STAMP, { force: true })
  const configFile = join(ROOT, 'vite.config.ts')
  process.chdir(ROOT)
  await build({ configFile, logLevel: 'warn' })
  await build({ configFile, logLevel: 'warn', build: { ssr: true } })
  await build(bundling())
  await compressAll(join(ROOT, 'build/client'))
  fillCompileCache()
  await writeFile(STAMP, '')
}

/** Of packages as they are, but without comments. */
function bundling(): InlineConfig {
  const input = Object.fromEntries(
    Object.entries(BUNDLED).map(([name, specifier]) => [
      name,
      fileURLToPath(import.meta.resolve(specifier)),
    ]),
  )
  const output = {
    entryFileNames: '[name].js',
    minify: { compress: false, mangle: false, codegen: true },
  }
  return {
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: fileURLToPath(BUNDLES),
      emptyOutDir: true,
      rolldownOptions: { input, output },
    },
  }
}

/**
 * Node keeps what it has compiled (node-version.js says where): the first start is as quick as the
 * next, and needs no compiler in memory. What was compiled under other flags would not be used.
 */
function fillCompileCache(): void {
  const flags = SERVE_ARGS.slice(0, -1)
  // One after the other: a module that one file imports and another requires must not load twice at
  // the same time.
  const script = `(await import('./' + ${JSON.stringify(BUNDLES_HOOK)})).importBundles()
    for (const path of ${JSON.stringify(LOADED_AT_START)}) await import('./' + path)`
  const { status } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '--eval', script],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error('What was built could not be loaded')
}

/** Says whether a source is newer than the last finished build. */
export async function isBuildStale(): Promise<boolean> {
  const built = await stat(STAMP).catch(() => undefined)
  if (!built) return true
  for (const source of SOURCES)
    if ((await newestMs(join(ROOT, source))) > built.mtimeMs) return true
  return false
}

async function newestMs(path: string): Promise<number> {
  const found = await stat(path)
  if (!found.isDirectory()) return found.mtimeMs
  const inside = await Promise.all((await readdir(path)).map((name) => newestMs(join(path, name))))
  return Math.max(found.mtimeMs, ...inside)
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

const isRun = process.argv[1] === fileURLToPath(import.meta.url)
if (isRun && (!process.argv.includes('--if-stale') || (await isBuildStale()))) await buildWeb()
