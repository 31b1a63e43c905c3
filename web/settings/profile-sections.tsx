// Settings: the name shown with the user's posts, and the line about the user.
import { useState } from 'react'
import type { Account, Prefs } from '#contract/accounts.ts'
import { readAboutAuthor } from '#contract/authors.ts'
import { ABOUT_AUTHOR_MAX_CHARS } from '#contract/limits.ts'
import { FormFailure, fieldFailure } from '../accounts/form-failure.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { refusalText } from '../api/error-text.ts'
import { texts } from '../locales/texts.ts'
import { Field, InputField } from '../ui/field.tsx'
import { SettingsForm, SettingsSection } from './settings-form.tsx'

export function NameSection({ account }: { account: Account }) {
  const api = useApi()
  const { title, text, form, missing } = texts.nameSection
  async function save(read: (name: string) => string) {
    const name = read('name').trim()
    if (!name) throw fieldFailure('name', missing)
    return await api.account.updateName<Prefs>(name)
  }
  return (
    <SettingsSection title={title} text={text}>
      <SettingsForm label={form} words={texts.nameSaving} onSave={save}>
        {(fields) => (
          <InputField
            label={texts.fields.name}
            error={fields.name}
            name="name"
            autoComplete="name"
            dir="auto"
            defaultValue={account.name}
          />
        )}
      </SettingsForm>
    </SettingsSection>
  )
}

/** The line stands on the user's page and after the user's posts. */
export function AboutSection({ account }: { account: Account }) {
  const { savePrefs } = useViewer()
  const words = texts.aboutSection
  const saved = typeof account.prefs.about === 'string' ? account.prefs.about : ''
  const [count, setCount] = useState(() => countOf(saved))
  async function save(read: (name: string) => string) {
    const typed = withoutControls(read('about'))
    const over = countOf(typed) - ABOUT_AUTHOR_MAX_CHARS
    if (over > 0) throw fieldFailure('about', words.tooLong(ABOUT_AUTHOR_MAX_CHARS, over))
    const answer = await savePrefs({ about: readAboutAuthor(typed) ?? '' })
    if (!answer.ok) throw new FormFailure(refusalText(answer.failure))
    return answer.value
  }
  return (
    <SettingsSection title={words.title} text={words.text}>
      <SettingsForm label={words.form} words={texts.aboutSaving} onSave={save}>
        {(fields) => (
          <Field
            label={words.label}
            error={fields.about}
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
        )}
      </SettingsForm>
    </SettingsSection>
  )
}

/** As the server counts: white space of any kind as one. */
function countOf(text: string): number {
  return [...text.replace(/\s+/g, ' ').trim()].length
}

/** Removes what users paste but never type; the server would not show a line that has it. */
function withoutControls(text: string): string {
  return text.toWellFormed().replace(/(?!\s)[\p{Cc}\ufffe\uffff]/gu, '')
}
