// The packages that test and build the blog, which a plain `npm install` leaves out: they are
// installed when a command first needs them, and when what is to be installed has changed.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, toolEnv } from './processes.ts'

/** What npm wrote down about what it has installed. */
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json')
/** Comes with the others, and goes with them. */
const ONE_OF_THEM = join(ROOT, 'node_modules', 'vitest')

/** @throws Error when npm fails */
export function installTestPackages(): void {
  if (areInstalled()) return
  process.stdout.write('Installing the packages that test the blog: npm install --include=dev\n')
  const { npm_execpath: npm } = process.env
  const args = ['install', '--include=dev', '--no-audit', '--no-fund']
  const options = { cwd: ROOT, env: toolEnv(), stdio: 'inherit' } as const
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('npm could not install the packages that test the blog')
  const now = new Date()
  utimesSync(INSTALLED, now, now)
}

function areInstalled(): boolean {
  if (!existsSync(INSTALLED) || !existsSync(ONE_OF_THEM)) return false
  const { mtimeMs } = statSync(INSTALLED)
  const wanted = ['package.json', 'package-lock.json'].map((name) => statSync(join(ROOT, name)))
  return wanted.every((file) => file.mtimeMs <= mtimeMs)
}

if (process.argv[1] === import.meta.filename) installTestPackages()
