// The data of an archive: a JSON line for each row, and the files by their checksums.
import { CopyProblem } from '../../backups/backup-io.ts'
import type { WritePart } from './export-options.ts'

export const exportData: WritePart = async () => {
  throw new CopyProblem('This part can not be exported yet')
}
