// Sizes that may be larger than those of a file: "2.1 GB".
import { texts } from '../locales/texts.ts'
import { sizeText } from './format-bytes.ts'

const GIB = 1024 ** 3

export function largeSizeText(bytes: number): string {
  return bytes < GIB ? sizeText(bytes) : texts.largeSizes.gigabytes((bytes / GIB).toFixed(1))
}
