// Recognises images that stand for emoji in chats, mails and pages, and finds the text of each.
// Used by pasting and by the sanitiser.

import { graphemesOf } from './graphemes.ts'

/** Reads an attribute of an image; undefined or null without it. */
type ReadAttribute = (name: string) => string | null | undefined

/** Class names by which programs mark their emoji and smileys. */
const CLASS =
  /(?:^|[\s_-])(?:tw|g-?|goo)?(?:emoji|emojione|emojis|emoticons?|joypixels|goomoji|smil(?:ey|eys|ie|ies))(?![a-z])/i
const MARKS = [
  'data-emoji',
  'data-goomoji',
  'goomoji',
  'data-stringify-emoji',
  'data-plain-text',
  'data-shortname',
]
/** Compiled on first use: it lists thousands of characters. */
let emoji: RegExp | undefined
/** Code points in file names of emoji: 1f44d-1f3fd@2x.png */
const CODE_POINTS =
  /(?:^|\/)(?:emoji_?)?u?([0-9a-f]{4,6}(?:[-_][0-9a-f]{2,6})*)(?:@\dx)?\.(?:png|svg|gif|webp)(?:[?#]|$)/i
const EMOJI_ADDRESS = /emoji|smil(?:ey|ie)/i
/** A placeholder over which a style sheet draws the emoji is no longer than this. */
const BLANK_IMAGE_MAX_CHARS = 200
const EMOJI_MAX_PX = 128
const TEXT_MAX_CHARS = 60

/**
 * @param isOwn whether this blog stores the image: then it is a picture, whatever its description
 * @returns the text of the emoji; undefined for a picture
 */
export function imageEmoji(read: ReadAttribute, isOwn: boolean): string | undefined {
  if (isOwn) return undefined
  const source = read('src') ?? ''
  const alt = (read('alt') ?? '').trim()
  const marks = MARKS.map((name) => read(name)?.trim() ?? '').filter((value) => value !== '')
  if (alt.length > TEXT_MAX_CHARS || !isSmall(read)) return undefined
  const isMarked = marks.length > 0 || CLASS.test(read('class') ?? '') || isSkypeEmoji(read)
  const isNamed = EMOJI_ADDRESS.test(source) && /^:\S+:$/.test(alt)
  if (!isMarked && !isNamed && !(isEmoji(alt) && !holdsPicture(source))) return undefined
  const emojiText = [...marks, alt].find(isEmoji) ?? fromCodePoints(source, marks)
  const text = emojiText ?? (alt || marks[0] || read('title')?.trim() || '')
  return text.length <= TEXT_MAX_CHARS ? text : undefined
}

function isEmoji(text: string): boolean {
  return (
    text !== '' &&
    text.length <= TEXT_MAX_CHARS &&
    graphemesOf(text).every((grapheme) => isOneEmoji(grapheme))
  )
}

function isOneEmoji(grapheme: string): boolean {
  emoji ??= /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic})\ufe0f?$/v
  return emoji.test(grapheme)
}

function isSkypeEmoji(read: ReadAttribute): boolean {
  return /schema\.skype\.com\/emoji/i.test(read('itemtype') ?? '')
}

function isSmall(read: ReadAttribute): boolean {
  return ['width', 'height'].every(
    (side) => !(Number.parseInt(read(side) ?? '', 10) > EMOJI_MAX_PX),
  )
}

function holdsPicture(source: string): boolean {
  return /^data:/i.test(source) && source.length > BLANK_IMAGE_MAX_CHARS
}

function fromCodePoints(source: string, marks: readonly string[]): string | undefined {
  const [, inAddress] = CODE_POINTS.exec(source) ?? []
  const codes =
    inAddress ?? marks.find((mark) => /^[0-9a-f]{4,6}(?:[-_][0-9a-f]{2,6})*$/i.test(mark))
  const numbers = codes?.split(/[-_]/).map((code) => Number.parseInt(code, 16)) ?? []
  if (numbers.length === 0 || numbers.some((code) => code > 0x10ffff)) return undefined
  const text = String.fromCodePoint(...numbers)
  // File names omit the variation selector that asks for the emoji form of an old character.
  return [`${text}\ufe0f`, text].find((emojiText) => /^\p{RGI_Emoji}$/v.test(emojiText))
}
