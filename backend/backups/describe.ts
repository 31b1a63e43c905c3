// What a backup holds, in one line for people.
import type { Manifest } from './manifest.ts'

const MIB = 1024 * 1024

export function describeBackup({ createdAt, database, files, filesAt, lost }: Manifest): string {
  const { post = 0, user = 0 } = database.rows
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, database.sizeBytes)
  const where = filesAt === 'bucket' ? ', which stayed at the S3 server' : ''
  const missing = lost.length > 0 ? `; the blog itself has lost ${listLost(lost)}` : ''
  return `of ${createdAt}, ${user} people, ${post} posts, ${files.length} files${where}, ${(bytes / MIB).toFixed(1)} MiB${missing}`
}

function listLost(lost: Manifest['lost']): string {
  return lost.map(({ name, problem }) => `${name} (${problem})`).join(', ')
}
