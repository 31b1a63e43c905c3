// Settings: the e-mail address. A new one starts unverified, and the old one is told
// (threat-model.md §6).
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { changeEmail } from './account-changes-api.ts'
import { EmailField } from './email-field.tsx'
import { EmailState } from './email-state.tsx'
import { FreshSignIn } from './fresh-sign-in.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import { VerificationMailButton } from './verification-mail-button.tsx'

export function EmailSection({ account }: { account: Account }) {
  const api = useApi()
  const hasPassword = account.passwordUpdate !== ''
  const form = useSettingsForm(
    async (read) => ({
      account: await changeEmail(api, { email: read('email').trim(), password: read('password') }),
    }),
    {
      doneText: texts.emailSaving.done,
      passwordField: 'password',
    },
  )
  return (
    <SettingsSection title={texts.emailSection.title} text={texts.emailSection.text}>
      <div className="setting__current">
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
      {!hasPassword && (
        <FreshSignIn
          email={account.email}
          text={texts.freshSignIn.forEmail}
          isNeeded={form.failure?.needsSignIn}
        />
      )}
      <SettingsForm
        form={form}
        label={texts.emailSaving.button}
        submitLabel={texts.emailSaving.button}
        busyLabel={texts.emailSaving.busy}
      >
        <EmailField label={texts.emailSection.newEmail} error={form.failure?.fields.email} />
        <Field
          label={hasPassword ? texts.fields.currentPassword : texts.emailSection.choosePassword}
          hint={hasPassword ? undefined : texts.emailSection.choosePasswordHint}
          error={form.failure?.fields.password}
        >
          {(ids) => (
            <PasswordInput
              {...ids}
              name="password"
              autoComplete={hasPassword ? 'current-password' : 'new-password'}
            />
          )}
        </Field>
      </SettingsForm>
    </SettingsSection>
  )
}
