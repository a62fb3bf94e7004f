<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>AuthorList</name>
    <message numerus="yes">
      <source>%n update(s)</source>
      <translation>
        <numerusform>%n update</numerusform>
        <numerusform>%n updates</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>BenchmarkPage</name>
    <message numerus="yes">
      <source>%n file(s)</source>
      <translation>
        <numerusform>%n file</numerusform>
        <numerusform>%n files</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Uses 1 of %n core(s).</source>
      <translation>
        <numerusform>Uses 1 of %n core.</numerusform>
        <numerusform>Uses 1 of %n cores.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n storage(s)</source>
      <translation>
        <numerusform>%n storage</numerusform>
        <numerusform>%n storages</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n run(s)</source>
      <translation>
        <numerusform>%n run</numerusform>
        <numerusform>%n runs</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n codec(s)</source>
      <translation>
        <numerusform>%n codec</numerusform>
        <numerusform>%n codecs</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>CloseSheet</name>
    <message numerus="yes">
      <source>%n job(s) still writing</source>
      <translation>
        <numerusform>%n job still writing</numerusform>
        <numerusform>%n jobs still writing</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>DataList</name>
    <message numerus="yes">
      <source>%n file(s)</source>
      <translation>
        <numerusform>%n file</numerusform>
        <numerusform>%n files</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n document(s)</source>
      <translation>
        <numerusform>%n document</numerusform>
        <numerusform>%n documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n table(s)</source>
      <translation>
        <numerusform>%n table</numerusform>
        <numerusform>%n tables</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Diff</name>
    <message numerus="yes">
      <source>%n unchanged line(s)</source>
      <translation>
        <numerusform>%n unchanged line</numerusform>
        <numerusform>%n unchanged lines</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Fold %n cell(s)</source>
      <translation>
        <numerusform>Fold %n cell</numerusform>
        <numerusform>Fold %n cells</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n cell(s) with the same source</source>
      <translation>
        <numerusform>%n cell with the same source</numerusform>
        <numerusform>%n cells with the same source</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n unchanged cell(s)</source>
      <translation>
        <numerusform>%n unchanged cell</numerusform>
        <numerusform>%n unchanged cells</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>DropZone</name>
    <message numerus="yes">
      <source>Drop to open %n file(s)</source>
      <translation>
        <numerusform>Drop to open %n file</numerusform>
        <numerusform>Drop to open %n files</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>History</name>
    <message numerus="yes">
      <source>%n other client(s)</source>
      <translation>
        <numerusform>%n other client</numerusform>
        <numerusform>%n other clients</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>HistoryPage</name>
    <message numerus="yes">
      <source>%n update(s)</source>
      <translation>
        <numerusform>%n update</numerusform>
        <numerusform>%n updates</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n unit(s)</source>
      <translation>
        <numerusform>%n unit</numerusform>
        <numerusform>%n units</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Copied %n line(s)</source>
      <translation>
        <numerusform>Copied %n line</numerusform>
        <numerusform>Copied %n lines</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Jobs</name>
    <message numerus="yes">
      <source>%n second(s) left</source>
      <translation>
        <numerusform>%n second left</numerusform>
        <numerusform>%n seconds left</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s) left</source>
      <translation>
        <numerusform>%n minute left</numerusform>
        <numerusform>%n minutes left</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>JobsIndicator</name>
    <message numerus="yes">
      <source>%n job(s)</source>
      <translation>
        <numerusform>%n job</numerusform>
        <numerusform>%n jobs</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message numerus="yes">
      <source>{folder} holds more stores; the first %n are opened</source>
      <translation>
        <numerusform>{folder} holds more stores; the first is opened</numerusform>
        <numerusform>{folder} holds more stores; the first %n are opened</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>PlanPanel</name>
    <message numerus="yes">
      <source>%n kind(s) of content cannot be carried over.</source>
      <translation>
        <numerusform>%n kind of content cannot be carried over.</numerusform>
        <numerusform>%n kinds of content cannot be carried over.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>QueryBar</name>
    <message numerus="yes">
      <source>%n records</source>
      <translation>
        <numerusform>%n record</numerusform>
        <numerusform>%n records</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RecordCopier</name>
    <message numerus="yes">
      <source>%n rows</source>
      <translation>
        <numerusform>%n row</numerusform>
        <numerusform>%n rows</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RecordsPage</name>
    <message numerus="yes">
      <source>%n records were checked.</source>
      <translation>
        <numerusform>%n record was checked.</numerusform>
        <numerusform>%n records were checked.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RecordsSession</name>
    <message numerus="yes">
      <source>%n rows written to {file}.</source>
      <translation>
        <numerusform>%n row written to {file}.</numerusform>
        <numerusform>%n rows written to {file}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n that cannot be read were left out.</source>
      <translation>
        <numerusform>%n that cannot be read was left out.</numerusform>
        <numerusform>%n that cannot be read were left out.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>StoreModel</name>
    <message numerus="yes">
      <source>%n warning(s)</source>
      <translation>
        <numerusform>%n warning</numerusform>
        <numerusform>%n warnings</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n more document(s)</source>
      <translation>
        <numerusform>%n more document</numerusform>
        <numerusform>%n more documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n record(s)</source>
      <translation>
        <numerusform>%n record</numerusform>
        <numerusform>%n records</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n version(s)</source>
      <translation>
        <numerusform>%n version</numerusform>
        <numerusform>%n versions</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>StorePage</name>
    <message numerus="yes">
      <source>%n finding(s)</source>
      <translation>
        <numerusform>%n finding</numerusform>
        <numerusform>%n findings</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>TimelinePlot</name>
    <message numerus="yes">
      <source>%n update(s)</source>
      <translation>
        <numerusform>%n update</numerusform>
        <numerusform>%n updates</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n client(s)</source>
      <translation>
        <numerusform>%n client</numerusform>
        <numerusform>%n clients</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n unit(s) deleted</source>
      <translation>
        <numerusform>%n unit deleted</numerusform>
        <numerusform>%n units deleted</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Transport</name>
    <message numerus="yes">
      <source>%n day(s)</source>
      <translation>
        <numerusform>%n day</numerusform>
        <numerusform>%n days</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n hour(s)</source>
      <translation>
        <numerusform>%n hour</numerusform>
        <numerusform>%n hours</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n minute(s)</source>
      <translation>
        <numerusform>%n minute</numerusform>
        <numerusform>%n minutes</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n second(s)</source>
      <translation>
        <numerusform>%n second</numerusform>
        <numerusform>%n seconds</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ValueDetail</name>
    <message numerus="yes">
      <source>%n characters</source>
      <translation>
        <numerusform>%n character</numerusform>
        <numerusform>%n characters</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n items</source>
      <translation>
        <numerusform>%n item</numerusform>
        <numerusform>%n items</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n keys</source>
      <translation>
        <numerusform>%n key</numerusform>
        <numerusform>%n keys</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n bytes</source>
      <translation>
        <numerusform>%n byte</numerusform>
        <numerusform>%n bytes</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ValuePanel</name>
    <message numerus="yes">
      <source>%n bytes</source>
      <translation>
        <numerusform>%n byte</numerusform>
        <numerusform>%n bytes</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>VersionPanel</name>
    <message numerus="yes">
      <source>%n character(s)</source>
      <translation>
        <numerusform>%n character</numerusform>
        <numerusform>%n characters</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ViewRow</name>
    <message numerus="yes">
      <source>%n more keys have no column; the inspector shows them.</source>
      <translation>
        <numerusform>%n more key has no column; the inspector shows it.</numerusform>
        <numerusform>%n more keys have no column; the inspector shows them.</numerusform>
      </translation>
    </message>
  </context>
</TS>
