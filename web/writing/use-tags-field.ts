// What typing, pasting and keys do in the field of the tags. Knows nothing of how it looks.

import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, withoutSign } from '#contract/plain-text.ts'
import { texts } from '../locales/texts.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useTagSuggestions } from './use-tag-suggestions.ts'

type Typed = { tags: string[]; tagText: string }
export type TagsFieldProps = Typed & {
  error: string | undefined
  isReadOnly: boolean
  onChange: (typed: Typed) => void
}

const BETWEEN = /[,，、،]/

/** What comes of typed or pasted text: each part that a comma ends becomes a tag if it is one. */
function takeParts({ tags, tagText }: Typed): Typed {
  const parts = tagText.split(BETWEEN)
  const last = parts.pop() ?? ''
  let typed: Typed = { tags, tagText: last }
  for (const part of parts.map(withoutSign).filter(Boolean)) typed = takeOne(typed, part)
  return typed
}

/** A part that is no tag, or has no room, stays in the field. */
function takeOne({ tags, tagText }: Typed, part: string): Typed {
  const joined = distinctTags([...tags, part])
  if (isTag(part) && joined.length <= TAGS_MAX) return { tags: joined, tagText }
  return { tags, tagText: [part, tagText.trim()].filter(Boolean).join(' ') }
}

export function useTagsField({ tags, tagText, isReadOnly, onChange }: TagsFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const announce = useAnnounce()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const [hasTried, setTried] = useState(false)
  const canAdd = tags.length < TAGS_MAX && !isReadOnly
  const suggestions = useTagSuggestions({ tags, tagText }, isOpen && canAdd)

  function change(typed: Typed) {
    const added = typed.tags.filter((tag) => !tags.includes(tag))
    for (const tag of added) announce(texts.tagsField.added(tag))
    setChosen(-1)
    onChange(typed)
  }
  function handleChange(typed: string) {
    setOpen(withoutSign(typed) !== '')
    setTried(false)
    change(takeParts({ tags, tagText: typed }))
  }
  function handlePaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text')
    // Words after # on one line are several tags.
    const words = pasted.split(/\s+/).filter(Boolean)
    const isSeveral = words.some(
      (word, at) => /^[#＃]/.test(word) && /[#＃]./.test(words[at - 1] ?? ''),
    )
    if (!isSeveral) return
    event.preventDefault()
    handleChange(`${tagText}${words.join(',')},`)
  }
  /** What is typed counts as it is: a chip in its place could move what is being pressed. */
  function handleBlur() {
    setTried(true)
    setOpen(false)
  }
  /** What was typed becomes a tag. */
  function take(part = withoutSign(tagText)) {
    handleBlur()
    if (part !== '') change(takeOne({ tags, tagText: '' }, part))
  }
  function remove(tag: string | undefined) {
    if (tag === undefined || isReadOnly) return
    announce(texts.tagsField.removed(tag))
    setChosen(-1)
    onChange({ tags: tags.filter((one) => one !== tag), tagText })
    input.current?.focus()
  }
  function close() {
    setOpen(false)
    setChosen(-1)
  }
  /** The field itself is one of the stops. */
  function move(step: 1 | -1) {
    setOpen(true)
    const stops = suggestions.length + 1
    setChosen(((chosen + 1 + step + stops) % stops) - 1)
  }
  function handleKey(event: KeyboardEvent) {
    const { key } = event
    if (event.nativeEvent.isComposing || isReadOnly) return
    if (key === 'Backspace' && tagText === '') return remove(tags.at(-1))
    if (key === 'Enter') take(suggestions[chosen]?.name)
    else if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }
  return {
    ...{ input, suggestions, chosen, hasTried },
    ...{ take, remove, handleChange, handlePaste, handleBlur, handleKey },
  }
}
