// Installs the packages that test and build the blog, which a plain `npm install` leaves out. Each
// set is installed when a command first needs it, and again when its lock file has changed.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, toolEnv } from './processes.ts'

type PackageSet = {
  /** Below the project's folder, with a package.json and a lock. */
  folder: string
  npmArgs: string[]
  /** A package that is there only when the set is installed. */
  examplePackage: string
}

/** What every command that tests or builds the blog needs. */
const DEVELOPMENT: PackageSet = {
  folder: '.',
  npmArgs: ['install', '--include=dev'],
  examplePackage: 'vitest',
}

const OLDER_CLIENTS: PackageSet = {
  folder: 'test/clients',
  npmArgs: ['ci'],
  examplePackage: 'appwrite-10',
}

const CHROMIUM: PackageSet = {
  folder: 'test/chromium',
  npmArgs: ['ci'],
  examplePackage: '@sparticuz/chromium',
}

/** @throws Error when npm fails */
export function installTestPackages(): void {
  install(DEVELOPMENT)
}

/**
 * Older majors of the client packages, for the tests tagged "more".
 *
 * @throws Error when npm fails
 */
export function installOlderClients(): void {
  install(OLDER_CLIENTS)
}

/**
 * @returns the folder that `@sparticuz/chromium` is installed in
 * @throws Error when npm fails
 */
export function installNpmChromium(): string {
  install(CHROMIUM)
  return join(ROOT, CHROMIUM.folder)
}

function install({ folder, npmArgs, examplePackage }: PackageSet): void {
  const path = join(ROOT, folder)
  // npm writes this file after it has installed packages.
  const installedLock = join(path, 'node_modules', '.package-lock.json')
  const example = join(path, 'node_modules', examplePackage)
  if (existsSync(example) && isNewest(installedLock, path)) return
  const where = folder === '.' ? '' : ` (in ${folder})`
  process.stdout.write(`Installing packages for the tests: npm ${npmArgs.join(' ')}${where}\n`)
  const { npm_execpath: npm } = process.env
  const args = [...npmArgs, '--no-audit', '--no-fund']
  const options = { cwd: path, env: toolEnv(), stdio: 'inherit' } as const
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`npm could not install the packages for the tests${where}`)
  const now = new Date()
  utimesSync(installedLock, now, now)
}

function isNewest(installedLock: string, folder: string): boolean {
  if (!existsSync(installedLock)) return false
  const { mtimeMs } = statSync(installedLock)
  return ['package.json', 'package-lock.json'].every(
    (name) => statSync(join(folder, name)).mtimeMs <= mtimeMs,
  )
}

if (process.argv[1] === import.meta.filename) installTestPackages()
