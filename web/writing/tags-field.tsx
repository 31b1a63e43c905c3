// The tags of a post: chips, a field for the next tag, and suggestions of tags that are in use.
import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, tagKey, withoutHash } from '#contract/plain-text.ts'
import type { TagList } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { callCollection } from '../posts/posts-api.ts'
import { Field } from '../ui/field.tsx'
import { isComposing } from '../ui/is-composing.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { findTagProblem } from './post-values.ts'

const words = texts.tagsField

export function TagsField(props: TagsFieldProps) {
  const { tags, tagText, isReadOnly } = props
  const field = useTagsField(props)
  const { suggestions, chosenIndex } = field
  const listId = useId()
  const isFull = tags.length >= TAGS_MAX
  const error = props.error ?? problemOf(props, field)
  return (
    <Field
      id="tags"
      label={
        <>
          {texts.postFields.tags} <span className="tag-box__most">{words.limit}</span>
        </>
      }
      hint={error ? undefined : isFull ? texts.problems.tagsTooMany : words.hint}
      error={error}
    >
      {(ids) => (
        <div className="row tag-box" data-invalid={ids['aria-invalid']}>
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              aria-label={words.remove(tag)}
              aria-disabled={isReadOnly || undefined}
              onClick={() => field.remove(tag)}
            >
              <bdi>{words.shown(tag)}</bdi>
              <X className="icon icon--small" aria-hidden="true" />
            </button>
          ))}
          <input
            {...ids}
            ref={field.input}
            name="tags"
            type="text"
            role="combobox"
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="done"
            aria-autocomplete="list"
            aria-expanded={suggestions.length > 0}
            aria-controls={suggestions.length > 0 ? listId : undefined}
            aria-activedescendant={suggestions[chosenIndex] && `${listId}-${chosenIndex}`}
            value={tagText}
            readOnly={isReadOnly}
            onChange={(event) => field.handleChange(event.currentTarget.value)}
            onPaste={field.handlePaste}
            onKeyDown={field.handleKey}
            onBlur={field.handleBlur}
          />
          {suggestions.length > 0 && (
            <Suggestions
              id={listId}
              tags={suggestions}
              chosenIndex={chosenIndex}
              onChoose={field.add}
            />
          )}
        </div>
      )}
    </Field>
  )
}

/** The problem with the tag that is being typed. A single character may be the start of a tag. */
function problemOf(
  { tags, tagText }: TagsFieldProps,
  { isTouched }: { isTouched: boolean },
): string | undefined {
  const text = withoutHash(tagText)
  if (text === '') return undefined
  if (!isTag(text)) return isTouched || text.length > 1 ? findTagProblem([text]) : undefined
  return tags.length >= TAGS_MAX ? texts.problems.tagsTooMany : undefined
}

type SuggestionsProps = {
  id: string
  tags: ReturnType<typeof useTagSuggestions>
  /** -1 for none. */
  chosenIndex: number
  onChoose: (name: string) => void
}

const count = new Intl.NumberFormat(texts.language)

/** The focus stays in the field; the arrow keys choose a suggestion. */
function Suggestions({ id, tags, chosenIndex, onChoose }: SuggestionsProps) {
  return (
    <div className="float menu tag-box__list" id={id} role="listbox" aria-label={words.suggestions}>
      {tags.map(({ tag, name, posts }, index) => (
        <button
          key={tag}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosenIndex}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        >
          <bdi>{words.shown(name)}</bdi>
          <span className="quiet">{words.posts(count.format(posts), posts === 1)}</span>
        </button>
      ))}
    </div>
  )
}

type TagInput = { tags: string[]; tagText: string }
type TagsFieldProps = TagInput & {
  error: string | undefined
  isReadOnly: boolean
  onChange: (typed: TagInput) => void
}

const SEPARATOR = /[,，、،]/

/** Turns each part of typed or pasted text before a comma into a tag, if it is valid. */
function addTypedTags({ tags, tagText }: TagInput): TagInput {
  const parts = tagText.split(SEPARATOR)
  const last = parts.pop() ?? ''
  let typed: TagInput = { tags, tagText: last }
  for (const part of parts.map(withoutHash).filter(Boolean)) typed = addTag(typed, part)
  return typed
}

/** An invalid part, or one too many, stays in the field. */
function addTag({ tags, tagText }: TagInput, part: string): TagInput {
  const joined = distinctTags([...tags, part])
  if (isTag(part) && joined.length <= TAGS_MAX) return { tags: joined, tagText }
  return { tags, tagText: [part, tagText.trim()].filter(Boolean).join(' ') }
}

/** Several words with # are several tags. */
function areSeveralTags(words: readonly string[]): boolean {
  return words.some((word, index) => /^[#＃]/.test(word) && /[#＃]./.test(words[index - 1] ?? ''))
}

function useTagsField({ tags, tagText, isReadOnly, onChange }: TagsFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const announce = useAnnounce()
  const [isOpen, setOpen] = useState(false)
  const [chosenIndex, setChosenIndex] = useState(-1)
  const [isTouched, setTouched] = useState(false)
  const canAdd = tags.length < TAGS_MAX && !isReadOnly
  const suggestions = useTagSuggestions({ tags, tagText }, isOpen && canAdd)

  function change(typed: TagInput) {
    const added = typed.tags.filter((tag) => !tags.includes(tag))
    for (const tag of added) announce(texts.tagsField.added(tag))
    setChosenIndex(-1)
    onChange(typed)
  }
  function handleChange(typed: string) {
    setOpen(withoutHash(typed) !== '')
    setTouched(false)
    change(addTypedTags({ tags, tagText: typed }))
  }
  function handlePaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text')
    const words = pasted.split(/\s+/).filter(Boolean)
    if (!areSeveralTags(words)) return
    event.preventDefault()
    handleChange(`${tagText}${words.join(',')},`)
  }
  /** Leaves the text as it is: a new chip could move the button that is being pressed. */
  function handleBlur() {
    setTouched(true)
    setOpen(false)
  }
  /** Turns the text of the field, or a suggestion, into a tag. */
  function add(part = withoutHash(tagText)) {
    handleBlur()
    if (part !== '') change(addTag({ tags, tagText: '' }, part))
  }
  function remove(tag: string | undefined) {
    if (tag === undefined || isReadOnly) return
    announce(texts.tagsField.removed(tag))
    setChosenIndex(-1)
    onChange({ tags: tags.filter((other) => other !== tag), tagText })
    input.current?.focus()
  }
  function close() {
    setOpen(false)
    setChosenIndex(-1)
  }
  /** Moves to the next suggestion. The field itself is one of the positions. */
  function move(step: 1 | -1) {
    setOpen(true)
    const positions = suggestions.length + 1
    setChosenIndex(((chosenIndex + 1 + step + positions) % positions) - 1)
  }
  function handleKey(event: KeyboardEvent) {
    const { key } = event
    if (isComposing(event.nativeEvent) || isReadOnly) return
    if (key === 'Backspace' && tagText === '') return remove(tags.at(-1))
    if (key === 'Enter') add(suggestions[chosenIndex]?.name)
    else if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }
  return {
    input,
    suggestions,
    chosenIndex,
    isTouched,
    add,
    remove,
    handleChange,
    handlePaste,
    handleBlur,
    handleKey,
  }
}

type Suggestion = TagList['tags'][number]

const PAUSE_MS = 150
const SHOWN_MAX = 6

/**
 * Finds tags in use that begin with the text of the field.
 *
 * @param typed `tags` are not suggested
 * @param isOpen whether suggestions are shown
 */
function useTagSuggestions(
  { tags, tagText }: { tags: readonly string[]; tagText: string },
  isOpen: boolean,
): Suggestion[] {
  const api = useApi()
  const [loaded, setLoaded] = useState<{ prefix: string; tags: Suggestion[] }>()
  const prefix = tagKey(withoutHash(tagText))
  useEffect(() => {
    if (!isOpen || !navigator.onLine) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      // Tags of this post are filtered out below. Without a prefix: the most used tags.
      const limit = String(SHOWN_MAX + tags.length)
      const query = { ...(prefix && { startsWith: prefix }), limit }
      const answer = await callCollection<TagList>(api, 'get', '/tags', query)
      if (isCurrent && answer.ok) setLoaded({ prefix, tags: answer.value.tags })
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [api, isOpen, prefix, tags.length])
  if (!isOpen || !loaded) return []
  const existingKeys = new Set(tags.map(tagKey))
  // Until the answer comes, these are the tags for the previous prefix.
  return loaded.tags
    .filter(({ tag }) => tag.startsWith(prefix) && !existingKeys.has(tag))
    .slice(0, SHOWN_MAX)
}
