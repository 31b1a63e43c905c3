// Installs Debian packages that tests need, where this process may: as root, with apt-get.
import { spawnSync } from 'node:child_process'

const TIMEOUT_MS = 180_000

/**
 * Installs the newest of each.
 *
 * @returns whether the packages are installed now; false where that is not possible
 */
export function installDebianPackages(...names: string[]): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const get = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], {
      env,
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
    }).status === 0
  // Old lists name old packages, or miss those of Debian's security.
  get('update')
  return get('install', '-y', '--no-install-recommends', ...names)
}
