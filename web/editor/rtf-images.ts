// Reads the pictures of a paste from its RTF, which word processors add to the clipboard: the HTML
// only names files on the writer's disk. Reads nothing else of the format.

/** Listed in the order of the text; undefined if no browser opens the type of the picture. */
export type RtfPicture = { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined

const TYPES: Record<string, string> = { pngblip: 'image/png', jpegblip: 'image/jpeg' }
/** Groups with duplicates of pictures, or with pictures outside the text. */
const SKIPPED = /^(?:nonshppict|shprslt|listpicture|header[lrf]?|footer[lrf]?)$/
const TOKEN = /[{}]|\\(?:([a-z]+)(-?\d+)? ?|'[\da-f]{2}|[^a-z])|[^{}\\]+/giy

type Group = { isSkipped: boolean; picture?: { type?: string; hex: string[]; binary?: string } }

export function readRtfPictures(rtf: string): RtfPicture[] {
  if (!rtf.startsWith('{\\rtf')) return []
  const pictures: RtfPicture[] = []
  const groups: Group[] = []
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(rtf); token; token = TOKEN.exec(rtf)) {
    const [text, word, number] = token
    const group = groups.at(-1)
    if (text === '{') groups.push({ isSkipped: group?.isSkipped ?? false })
    else if (text === '}') {
      const { picture, isSkipped } = groups.pop() ?? { isSkipped: true }
      if (picture && !isSkipped) pictures.push(bytesOf(picture))
    } else if (!group) break
    else if (word === 'bin') {
      const end = TOKEN.lastIndex + Number(number ?? 0)
      if (group.picture) group.picture.binary = rtf.slice(TOKEN.lastIndex, end)
      TOKEN.lastIndex = end
    } else if (word === 'pict') group.picture = { hex: [] }
    else if (word !== undefined && SKIPPED.test(word)) group.isSkipped = true
    else if (word !== undefined && group.picture) {
      const type = TYPES[word]
      if (type) group.picture.type = type
    } else if (!text.startsWith('\\')) group.picture?.hex.push(text)
  }
  return pictures
}

function bytesOf({ type, hex, binary }: NonNullable<Group['picture']>): RtfPicture {
  if (!type) return undefined
  const bytes = binary === undefined ? fromHex(hex.join('')) : fromBinary(binary)
  return bytes.length > 0 ? { type, bytes } : undefined
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/[^\da-f]/gi, '')
  const bytes = new Uint8Array(digits.length >> 1)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16)
  return bytes
}

function fromBinary(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)
}
