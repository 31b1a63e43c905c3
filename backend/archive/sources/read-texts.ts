// Texts of exports, whatever their encoding.
import { readWhole } from './file-tree.ts'
import type { FileTree } from './source.ts'

/** The mark of the byte order decides; bytes that are no UTF-8 are those of Windows. */
export function decodeText(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export async function readText(tree: FileTree, path: string, maxBytes: number): Promise<string> {
  return decodeText(await readWhole(tree, path, maxBytes))
}
