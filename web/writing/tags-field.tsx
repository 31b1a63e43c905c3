// The tags of a post: chips, a field in which one is typed, and a list of those that are in use.

import { X } from 'lucide-react'
import { useId } from 'react'
import { TAGS_MAX } from '#contract/limits.ts'
import { isTag, withoutSign } from '#contract/plain-text.ts'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { findTagProblem } from './post-values.ts'
import type { useTagSuggestions } from './use-tag-suggestions.ts'
import { type TagsFieldProps, useTagsField } from './use-tags-field.ts'

const words = texts.tagsField

export function TagsField(props: TagsFieldProps) {
  const { tags, tagText, isReadOnly } = props
  const field = useTagsField(props)
  const { suggestions, chosen } = field
  const listId = useId()
  const isFull = tags.length >= TAGS_MAX
  const error = props.error ?? problemOf(props, field)
  return (
    <Field
      id="tags"
      label={
        <>
          {texts.postFields.tags} <span className="tag-box__most">{words.most}</span>
        </>
      }
      hint={error ? undefined : isFull ? texts.problems.tagsTooMany : words.hint}
      error={error}
    >
      {(ids) => (
        <div className="tag-box" data-invalid={ids['aria-invalid']}>
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
            aria-activedescendant={suggestions[chosen] && `${listId}-${chosen}`}
            value={tagText}
            readOnly={isReadOnly}
            onChange={(event) => field.handleChange(event.currentTarget.value)}
            onPaste={field.handlePaste}
            onKeyDown={field.handleKey}
            onBlur={field.handleBlur}
          />
          {suggestions.length > 0 && (
            <Suggestions id={listId} tags={suggestions} chosen={chosen} onChoose={field.take} />
          )}
        </div>
      )}
    </Field>
  )
}

/** Of what is being typed; a single sign may be the first of a tag. */
function problemOf(
  { tags, tagText }: TagsFieldProps,
  { hasTried }: { hasTried: boolean },
): string | undefined {
  const text = withoutSign(tagText)
  if (text === '') return undefined
  if (!isTag(text)) return hasTried || text.length > 1 ? findTagProblem([text]) : undefined
  return tags.length >= TAGS_MAX ? texts.problems.tagsTooMany : undefined
}

type SuggestionsProps = {
  id: string
  tags: ReturnType<typeof useTagSuggestions>
  /** -1 for none. */
  chosen: number
  onChoose: (name: string) => void
}

const count = new Intl.NumberFormat(texts.language)

/** The focus stays in the field: the arrows go through the list. */
function Suggestions({ id, tags, chosen, onChoose }: SuggestionsProps) {
  return (
    <div className="menu tag-box__list" id={id} role="listbox" aria-label={words.used}>
      {tags.map(({ tag, name, posts }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field's keys choose it
        // biome-ignore lint/a11y/useFocusableInteractive: named by the field's active descendant
        <div
          key={tag}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        >
          <bdi>{words.shown(name)}</bdi>
          <span className="quiet">{words.posts(count.format(posts), posts === 1)}</span>
        </div>
      ))}
    </div>
  )
}
