// Settings: the e-mail address and the password. A new address starts unverified, and the old one
// is told; a new password signs every other device out (threat-model.md §6).
import type { Account, Prefs } from '#contract/accounts.ts'
import { EmailState, VerificationMailButton } from '../accounts/email-verification.tsx'
import { requireSamePasswords } from '../accounts/form-failure.ts'
import { EmailField, NewPasswordFields, UsernameHint } from '../accounts/form-fields.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { PasswordField } from '../ui/field.tsx'
import { SettingsForm, SettingsSection } from './settings-form.tsx'

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
      {!account.emailVerification && api.settings.mail !== 'off' && (
        <div className="row">
          {api.settings.mail === 'kept' && <p className="hint">{texts.keptMails.verification}</p>}
          {/* A new address has a pause of its own. */}
          <VerificationMailButton
            key={account.email}
            label={texts.emailState.send}
            kind="secondary"
          />
        </div>
      )}
      <SettingsForm
        label={texts.emailSaving.button}
        words={texts.emailSaving}
        passwordField="password"
        signInText={hasPassword ? undefined : texts.freshSignIn.forEmail}
        // Of an account without a password it becomes the password (api.md §2.2).
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
    </SettingsSection>
  )
}

export const PASSWORD_SECTION_ID = 'settings-password'

/** @param props `onChanged`: other sessions have ended */
export function PasswordSection({
  account,
  onChanged,
}: {
  account: Account
  onChanged: () => void
}) {
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
      <SettingsForm
        label={words.button}
        words={hasPassword ? words : { ...words, button: words.set }}
        passwordField="oldPassword"
        signInText={hasPassword ? undefined : texts.freshSignIn.forPassword}
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
    </SettingsSection>
  )
}
