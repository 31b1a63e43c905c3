// Settings: everything one has here, to take along.
import { Download } from 'lucide-react'
import { useApi } from '../api/api-context.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { exportPath } from './account-changes-api.ts'
import { SettingsSection } from './settings-section.tsx'

export function DataSection() {
  const api = useApi()
  return (
    <SettingsSection title="Your data" text="Your account and posts as JSON, and your images as you uploaded them, in one zip file.">
      <div className="row">
        <a className={buttonClass('secondary')} href={exportPath(api)} download>
          <Download className="i" aria-hidden="true" />
          Download my data
        </a>
      </div>
    </SettingsSection>
  )
}
