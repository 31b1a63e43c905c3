// Sizes that may be larger than those of a file: "2.1 GB".
import { texts } from '../locales/texts.ts'
import { sizeText } from './format-bytes.ts'

const MIB = 1024 ** 2

export function largeSizeText(bytes: number): string {
  if (bytes < 1000 * MIB) return sizeText(bytes)
  return texts.largeSizes.gigabytes(String(Number((bytes / MIB / 1024).toFixed(1))))
}
