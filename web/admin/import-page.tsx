// /admin/import: importing a whole blog, and exporting this one.
import { type Archives, readArchives } from '../archive/archive-api.ts'
import { BlogExport } from '../archive/blog-export.tsx'
import { ImportSection } from '../archive/import-section.tsx'
import { texts } from '../locales/texts.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'

export function AdminImportPage() {
  const page = useAdminData<Archives>((api) => readArchives(api, 'operator'))
  return (
    <AdminPage title={texts.adminImport.title} page={page}>
      {({ imports, exports }) => (
        <div className="archive-sections">
          <ImportSection scope="operator" initial={imports} />
          <BlogExport initial={exports} />
        </div>
      )}
    </AdminPage>
  )
}
