// Settings: the download of all of the person's data.
import { Download } from 'lucide-react'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { exportPath } from './account-changes-api.ts'
import { SettingsSection } from './settings-section.tsx'

export function DataSection() {
  const api = useApi()
  return (
    <SettingsSection title={texts.dataSection.title} text={texts.dataSection.text}>
      <div className="row">
        <a className={buttonClass('secondary')} href={exportPath(api)} download>
          <Download className="icon" aria-hidden="true" />
          {texts.dataSection.download}
        </a>
      </div>
    </SettingsSection>
  )
}
