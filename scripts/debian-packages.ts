// Installs Debian packages for tests, if this process runs as root and there is apt-get.
import { spawnSync } from 'node:child_process'

const TIMEOUT_MS = 180_000

/**
 * Installs the newest version of each package.
 *
 * @returns whether they are installed now
 */
export function installDebianPackages(...names: string[]): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], {
      env,
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
    }).status === 0
  // Outdated lists miss packages of security updates.
  aptGet('update')
  return aptGet('install', '-y', '--no-install-recommends', ...names)
}
