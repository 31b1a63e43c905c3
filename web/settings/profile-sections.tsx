// Settings: the name shown with the user's posts, the bio, the email address and the password.
import { useState } from 'react'
import type { Account, Prefs } from '#contract/accounts.ts'
import { readAboutAuthor } from '#contract/authors.ts'
import { ABOUT_AUTHOR_MAX_CHARS } from '#contract/limits.ts'
import { EmailState, VerificationLine } from '../accounts/email-verification.tsx'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { FormFailure, fieldFailure, requireSamePasswords } from '../forms/form-failure.ts'
import { EmailField, NewPasswordFields, UsernameHint } from '../forms/form-parts.tsx'
import { texts } from '../locales/texts.ts'
import { Field, InputField, PasswordField } from '../ui/field.tsx'
import { Fold } from '../ui/fold.tsx'
import { AvatarPart } from './avatar-part.tsx'
import { SettingsForm, SettingsSection } from './settings-form.tsx'

export function NameSection({ account }: { account: Account }) {
  const api = useApi()
  const { title, text, form, missing } = texts.nameSection
  const [isChangingAvatar, setChangingAvatar] = useState(false)
  async function save(read: (name: string) => string) {
    const name = read('name').trim()
    if (!name) throw fieldFailure('name', missing)
    return await api.account.updateName<Prefs>(name)
  }
  return (
    <SettingsSection title={title} text={text}>
      <div className="stack setting__avatar">
        <AvatarPart
          account={account}
          isChanging={isChangingAvatar}
          setChanging={setChangingAvatar}
          onChanged={() => {}}
        />
      </div>
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

/** The bio, which is shown on the user's page and after their posts. */
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

/** Counts as the server does: consecutive white space is one character. */
function countOf(text: string): number {
  return [...text.replace(/\s+/g, ' ').trim()].length
}

/** Removes control characters, which may be pasted: the server shows no bio that contains them. */
function withoutControls(text: string): string {
  return text.toWellFormed().replace(/(?!\s)[\p{Cc}\ufffe\uffff]/gu, '')
}

// Settings: the email address and the password. A new address starts unverified, and the old one
// gets a mail; a new password signs out all other devices (threat-model.md §6).

export function EmailSection({ account }: { account: Account }) {
  const api = useApi()
  const hasPassword = account.passwordUpdate !== ''
  const words = texts.emailSection
  return (
    <SettingsSection title={words.title} text={words.text}>
      <div className="row setting__current">
        <bdi>{account.email}</bdi>
        <EmailState isVerified={account.emailVerification} />
      </div>
      <VerificationLine />
      <Fold title={texts.emailSaving.button}>
        <SettingsForm
          label={texts.emailSaving.button}
          words={texts.emailSaving}
          passwordField="password"
          signInText={hasPassword ? undefined : texts.recentSignIn.forEmail}
          // The typed password becomes that of an account without one (api.md §2.2).
          onSave={(read) => api.account.updateEmail<Prefs>(read('email').trim(), read('password'))}
        >
          {(fields) => (
            <>
              <EmailField label={words.newEmail} error={fields.email} />
              <PasswordField
                label={hasPassword ? texts.fields.currentPassword : words.choosePassword}
                hint={hasPassword ? undefined : words.choosePasswordHint}
                error={fields.password}
                name="password"
                autoComplete={hasPassword ? 'current-password' : 'new-password'}
              />
            </>
          )}
        </SettingsForm>
      </Fold>
    </SettingsSection>
  )
}

export const PASSWORD_SECTION_ID = 'settings-password'

type PasswordSectionProps = {
  account: Account
  /** Whether the form is shown. */
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Called after other sessions have ended. */
  onChanged: () => void
}

export function PasswordSection({ account, isOpen, onToggle, onChanged }: PasswordSectionProps) {
  const api = useApi()
  const hasPassword = account.passwordUpdate !== ''
  const words = texts.passwordSaving
  async function save(read: (name: string) => string) {
    const password = requireSamePasswords(read)
    const oldPassword = hasPassword ? read('oldPassword') : undefined
    const changed = await api.account.updatePassword<Prefs>(password, oldPassword)
    onChanged()
    return changed
  }
  return (
    <SettingsSection
      id={PASSWORD_SECTION_ID}
      title={texts.passwordSection.title}
      text={texts.passwordSection.text}
    >
      <Fold title={hasPassword ? words.button : words.set} isOpen={isOpen} onToggle={onToggle}>
        <SettingsForm
          label={words.button}
          words={hasPassword ? words : { ...words, button: words.set }}
          passwordField="oldPassword"
          signInText={hasPassword ? undefined : texts.recentSignIn.forPassword}
          onSave={save}
        >
          {(fields, failure) => (
            <>
              <UsernameHint email={account.email} />
              {hasPassword && (
                <PasswordField
                  label={texts.fields.currentPassword}
                  error={fields.oldPassword}
                  name="oldPassword"
                  autoComplete="current-password"
                />
              )}
              <NewPasswordFields failure={failure} />
            </>
          )}
        </SettingsForm>
      </Fold>
    </SettingsSection>
  )
}
