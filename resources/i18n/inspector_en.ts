<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>AuthorList</name>
    <message numerus="yes">
      <source>%Ln update(s)</source>
      <translation>
        <numerusform>%Ln update</numerusform>
        <numerusform>%Ln updates</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>BenchmarkPage</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln file</numerusform>
        <numerusform>%Ln files</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Uses 1 of %Ln core(s).</source>
      <translation>
        <numerusform>Uses 1 of %Ln core.</numerusform>
        <numerusform>Uses 1 of %Ln cores.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln storage(s)</source>
      <translation>
        <numerusform>%Ln storage</numerusform>
        <numerusform>%Ln storages</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln run(s)</source>
      <translation>
        <numerusform>%Ln run</numerusform>
        <numerusform>%Ln runs</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln codec(s)</source>
      <translation>
        <numerusform>%Ln codec</numerusform>
        <numerusform>%Ln codecs</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>CloseSheet</name>
    <message numerus="yes">
      <source>%Ln job(s) still writing</source>
      <translation>
        <numerusform>%Ln job still writing</numerusform>
        <numerusform>%Ln jobs still writing</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Compare</name>
    <message numerus="yes">
      <source>%Ln records</source>
      <translation>
        <numerusform>%Ln record</numerusform>
        <numerusform>%Ln records</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln tables</source>
      <translation>
        <numerusform>%Ln table</numerusform>
        <numerusform>%Ln tables</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln document</numerusform>
        <numerusform>%Ln documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln collections</source>
      <translation>
        <numerusform>%Ln collection</numerusform>
        <numerusform>%Ln collections</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>CompareSession</name>
    <message numerus="yes">
      <source>%Ln differences</source>
      <translation>
        <numerusform>%Ln difference</numerusform>
        <numerusform>%Ln differences</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>DamageBar</name>
    <message numerus="yes">
      <source>%Ln more</source>
      <translation>
        <numerusform>%Ln more</numerusform>
        <numerusform>%Ln more</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>DataList</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln file</numerusform>
        <numerusform>%Ln files</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln document</numerusform>
        <numerusform>%Ln documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln table(s)</source>
      <translation>
        <numerusform>%Ln table</numerusform>
        <numerusform>%Ln tables</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Diff</name>
    <message numerus="yes">
      <source>%Ln unchanged line(s)</source>
      <translation>
        <numerusform>%Ln unchanged line</numerusform>
        <numerusform>%Ln unchanged lines</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Fold %Ln cell(s)</source>
      <translation>
        <numerusform>Fold %Ln cell</numerusform>
        <numerusform>Fold %Ln cells</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln cell(s) with the same source</source>
      <translation>
        <numerusform>%Ln cell with the same source</numerusform>
        <numerusform>%Ln cells with the same source</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln unchanged cell(s)</source>
      <translation>
        <numerusform>%Ln unchanged cell</numerusform>
        <numerusform>%Ln unchanged cells</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>DropVeil</name>
    <message numerus="yes">
      <source>Drop to open %Ln file(s)</source>
      <translation>
        <numerusform>Drop to open %Ln file</numerusform>
        <numerusform>Drop to open %Ln files</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>DropZone</name>
    <message numerus="yes">
      <source>Drop to open %Ln file(s)</source>
      <translation>
        <numerusform>Drop to open %Ln file</numerusform>
        <numerusform>Drop to open %Ln files</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>History</name>
    <message numerus="yes">
      <source>%Ln other client(s)</source>
      <translation>
        <numerusform>%Ln other client</numerusform>
        <numerusform>%Ln other clients</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>HistoryPage</name>
    <message numerus="yes">
      <source>%Ln update(s)</source>
      <translation>
        <numerusform>%Ln update</numerusform>
        <numerusform>%Ln updates</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln unit(s)</source>
      <translation>
        <numerusform>%Ln unit</numerusform>
        <numerusform>%Ln units</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Copied %Ln line(s)</source>
      <translation>
        <numerusform>Copied %Ln line</numerusform>
        <numerusform>Copied %Ln lines</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Jobs</name>
    <message numerus="yes">
      <source>%Ln second(s) left</source>
      <translation>
        <numerusform>%Ln second left</numerusform>
        <numerusform>%Ln seconds left</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln minute(s) left</source>
      <translation>
        <numerusform>%Ln minute left</numerusform>
        <numerusform>%Ln minutes left</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>JobsIndicator</name>
    <message numerus="yes">
      <source>%Ln job(s)</source>
      <translation>
        <numerusform>%Ln job</numerusform>
        <numerusform>%Ln jobs</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message numerus="yes">
      <source>{folder} holds more stores; the first %Ln are opened</source>
      <translation>
        <numerusform>{folder} holds more stores; the first is opened</numerusform>
        <numerusform>{folder} holds more stores; the first %Ln are opened</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>PlanPanel</name>
    <message numerus="yes">
      <source>%Ln kind(s) of content cannot be carried over.</source>
      <translation>
        <numerusform>%Ln kind of content cannot be carried over.</numerusform>
        <numerusform>%Ln kinds of content cannot be carried over.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>QueryBar</name>
    <message numerus="yes">
      <source>%Ln records</source>
      <translation>
        <numerusform>%Ln record</numerusform>
        <numerusform>%Ln records</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RecordCopier</name>
    <message numerus="yes">
      <source>%Ln rows</source>
      <translation>
        <numerusform>%Ln row</numerusform>
        <numerusform>%Ln rows</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RecordsPage</name>
    <message numerus="yes">
      <source>%Ln records were checked.</source>
      <translation>
        <numerusform>%Ln record was checked.</numerusform>
        <numerusform>%Ln records were checked.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RecordsSession</name>
    <message numerus="yes">
      <source>%Ln rows written to {file}.</source>
      <translation>
        <numerusform>%Ln row written to {file}.</numerusform>
        <numerusform>%Ln rows written to {file}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln that cannot be read were left out.</source>
      <translation>
        <numerusform>%Ln that cannot be read was left out.</numerusform>
        <numerusform>%Ln that cannot be read were left out.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>StoreModel</name>
    <message numerus="yes">
      <source>%Ln warning(s)</source>
      <translation>
        <numerusform>%Ln warning</numerusform>
        <numerusform>%Ln warnings</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln more document(s)</source>
      <translation>
        <numerusform>%Ln more document</numerusform>
        <numerusform>%Ln more documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln record(s)</source>
      <translation>
        <numerusform>%Ln record</numerusform>
        <numerusform>%Ln records</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln version(s)</source>
      <translation>
        <numerusform>%Ln version</numerusform>
        <numerusform>%Ln versions</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>StorePage</name>
    <message numerus="yes">
      <source>%Ln finding(s)</source>
      <translation>
        <numerusform>%Ln finding</numerusform>
        <numerusform>%Ln findings</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>TimelinePlot</name>
    <message numerus="yes">
      <source>%Ln update(s)</source>
      <translation>
        <numerusform>%Ln update</numerusform>
        <numerusform>%Ln updates</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln client(s)</source>
      <translation>
        <numerusform>%Ln client</numerusform>
        <numerusform>%Ln clients</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln unit(s) deleted</source>
      <translation>
        <numerusform>%Ln unit deleted</numerusform>
        <numerusform>%Ln units deleted</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Transport</name>
    <message numerus="yes">
      <source>%Ln day(s)</source>
      <translation>
        <numerusform>%Ln day</numerusform>
        <numerusform>%Ln days</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln hour(s)</source>
      <translation>
        <numerusform>%Ln hour</numerusform>
        <numerusform>%Ln hours</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln minute(s)</source>
      <translation>
        <numerusform>%Ln minute</numerusform>
        <numerusform>%Ln minutes</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln second(s)</source>
      <translation>
        <numerusform>%Ln second</numerusform>
        <numerusform>%Ln seconds</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ValueDetail</name>
    <message numerus="yes">
      <source>%Ln characters</source>
      <translation>
        <numerusform>%Ln character</numerusform>
        <numerusform>%Ln characters</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln items</source>
      <translation>
        <numerusform>%Ln item</numerusform>
        <numerusform>%Ln items</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln keys</source>
      <translation>
        <numerusform>%Ln key</numerusform>
        <numerusform>%Ln keys</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln bytes</source>
      <translation>
        <numerusform>%Ln byte</numerusform>
        <numerusform>%Ln bytes</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ValuePanel</name>
    <message numerus="yes">
      <source>%Ln bytes</source>
      <translation>
        <numerusform>%Ln byte</numerusform>
        <numerusform>%Ln bytes</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>VersionPanel</name>
    <message numerus="yes">
      <source>%Ln character(s)</source>
      <translation>
        <numerusform>%Ln character</numerusform>
        <numerusform>%Ln characters</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ViewRow</name>
    <message numerus="yes">
      <source>%Ln more keys have no column; the inspector shows them.</source>
      <translation>
        <numerusform>%Ln more key has no column; the inspector shows it.</numerusform>
        <numerusform>%Ln more keys have no column; the inspector shows them.</numerusform>
      </translation>
    </message>
  </context>
</TS>
