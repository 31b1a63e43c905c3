// Settings: the e-mail address. A new one starts unverified, and the old one is told
// (threat-model.md §6).
import { BadgeCheck, Mail } from 'lucide-react'
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { changeEmail } from './account-changes-api.ts'
import { FormOutcome } from './form-outcome.tsx'
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
        {account.emailVerification ? (
          <span className="chip chip--on chip--icon">
            <BadgeCheck className="icon icon--small" aria-hidden="true" />
            {texts.emailState.verified}
          </span>
        ) : (
          <span className="chip chip--icon">
            <Mail className="icon icon--small" aria-hidden="true" />
            {texts.emailState.notVerified}
          </span>
        )}
      </div>
      {!account.emailVerification && api.settings.hasMail && (
        <div className="row">
          {/* A new address has a pause of its own. */}
          <VerificationMailButton
            key={account.email}
            label={texts.emailState.send}
            kind="secondary"
          />
        </div>
      )}
      <FormOutcome failureText={form.failure?.message} doneText={form.doneText} />
      <form
        noValidate
        aria-label={texts.emailSaving.button}
        className="stack"
        onSubmit={form.handleSubmit}
      >
        <Field label={texts.emailSection.newEmail} error={form.failure?.fields.email}>
          {(ids) => (
            <TextInput {...ids} type="email" name="email" autoComplete="email" inputMode="email" />
          )}
        </Field>
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
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            isBusy={form.isBusy}
            busyLabel={texts.emailSaving.busy}
          >
            {texts.emailSaving.button}
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
