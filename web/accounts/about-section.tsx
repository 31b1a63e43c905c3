// Settings: the line about oneself, which stands on one's page and after one's posts.
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { readAboutAuthor } from '#contract/authors.ts'
import { ABOUT_AUTHOR_MAX_CHARS } from '#contract/limits.ts'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { fieldFailure, formFailureOf } from './form-failure.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import { useViewer } from './viewer.tsx'

export function AboutSection({ account }: { account: Account }) {
  const { savePrefs } = useViewer()
  const { aboutSection: words, aboutSaving } = texts
  const saved = typeof account.prefs.about === 'string' ? account.prefs.about : ''
  const [count, setCount] = useState(() => countOf(saved))
  const form = useSettingsForm(
    async (read) => {
      const typed = withoutControls(read('about'))
      const over = countOf(typed) - ABOUT_AUTHOR_MAX_CHARS
      if (over > 0)
        return { failure: fieldFailure('about', words.tooLong(ABOUT_AUTHOR_MAX_CHARS, over)) }
      const answer = await savePrefs({ about: readAboutAuthor(typed) ?? '' })
      return answer.ok ? { account: answer.value } : { failure: formFailureOf(answer.failure) }
    },
    { doneText: aboutSaving.done },
  )
  return (
    <SettingsSection title={words.title} text={words.text}>
      <SettingsForm
        form={form}
        label={words.form}
        submitLabel={aboutSaving.button}
        busyLabel={aboutSaving.busy}
      >
        <Field
          label={words.label}
          error={form.failure?.fields.about}
          hint={
            <span className="counted">
              <span>{words.hint}</span>
              <span>{words.count(count, ABOUT_AUTHOR_MAX_CHARS)}</span>
            </span>
          }
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input"
              name="about"
              rows={3}
              dir="auto"
              defaultValue={saved}
              onInput={({ currentTarget }) => setCount(countOf(currentTarget.value))}
            />
          )}
        </Field>
      </SettingsForm>
    </SettingsSection>
  )
}

/** As the server counts: white space of any kind as one. */
function countOf(text: string): number {
  return [...text.replace(/\s+/g, ' ').trim()].length
}

/** What nobody types, but pastes: with one of them the line would not be shown. */
function withoutControls(text: string): string {
  return text.toWellFormed().replace(/(?!\s)[\p{Cc}\ufffe\uffff]/gu, '')
}
