// The text of a post where bodies are no HTML (`BLOG_CONTENT=text`): a field that changes nothing.

import { type Ref, useImperativeHandle, useRef } from 'react'
import { succeed } from '../api/result.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'

type TextBodyFieldProps = {
  ref: Ref<EditorHandle>
  initialHtml: string
  isReadOnly: boolean
  error: string | undefined
  onChange: () => void
}

export function TextBodyField({
  ref,
  initialHtml: initial,
  isReadOnly,
  error,
  onChange,
}: TextBodyFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const given = useRef(initial)
  useImperativeHandle(ref, () => {
    /** A field has line feeds alone: what nobody changed stays as it was stored. */
    const read = () => {
      const typed = area.current?.value ?? ''
      return typed === withLineFeeds(given.current) ? given.current : typed
    }
    return {
      read: async () => succeed(read()),
      peek: read,
      write(text) {
        given.current = text
        if (area.current) area.current.value = text
      },
      reloadImages: () => {},
      focus: () => area.current?.focus(),
    }
  }, [])
  return (
    <Field
      label={texts.postFields.content}
      id="content"
      hint={texts.postForm.textBodyHint}
      error={error}
    >
      {(ids) => (
        <textarea
          {...ids}
          ref={area}
          className="input input--body mono"
          name="content"
          dir="auto"
          autoComplete="off"
          defaultValue={initial}
          readOnly={isReadOnly}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
