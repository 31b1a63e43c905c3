// The rooms of backend and web as docs/architecture.md draws them: the tests of imports and of
// documents compare the tree with this drawing.
import { readFileSync } from 'node:fs'

/**
 * @param part `backend` or `web`
 * @returns its folders, from left to right and from top to bottom: each imports those before it
 */
export function drawnRooms(part: string): string[] {
  const page = readFileSync('docs/architecture.md', 'utf8')
  const [, drawing = ''] = page.split(`\n${part}/\n`)
  const [rows = ''] = drawing.split('\n\n')
  return rows.split('\n').flatMap((row) => {
    const [group = '', ...rooms] = row.trim().split(/ +/)
    const isFile = group.includes('.')
    return isFile ? [] : rooms
  })
}
